"""Groups the files of a folder or an archive into runs of tools that write several files."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from caveat._files import sha256_of
from caveat.data.evidence import Evidence
from caveat.data.schema import Kind
from caveat.errors import UnrecognisedError
from caveat.importers._base import Bundle, Claim, ReadOptions
from caveat.importers.opening import Member
from caveat.importers.parts import Neighbours
from caveat.importers.registry import BUNDLES
from caveat.results.provenance import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claimed:
    """A group of files, and the bundle that reads it."""

    bundle: Bundle
    claim: Claim

    def read(self, options: ReadOptions, kind: Kind | None) -> tuple[Evidence, ...]:
        """Read the group; tables of another kind than the one asked for are left out."""
        if kind is not None and kind not in self.bundle.kinds:
            raise UnrecognisedError(
                f"{self.claim.name}: must hold {kind}, got {', '.join(self.bundle.kinds)} "
                f"({self.bundle.name})"
            )
        read = self.bundle.read(self.claim, options)
        found = tuple(e for e in read if kind in (None, e.kind))
        if not found:
            holds = ", ".join(dict.fromkeys(e.kind for e in read)) or "nothing"
            raise UnrecognisedError(
                f"{self.claim.name}: must hold {kind or 'evidence'}, got {holds} "
                f"({self.bundle.name})"
            )
        return _with_digests(found, self.claim)


def claimed(
    found: Iterable[Member], *, alone: bool
) -> tuple[tuple[Claimed, ...], tuple[Member, ...]]:
    """Return what bundles claim of these members, and the members that are left.

    `alone` says that the source is one file, whose companions may lie beside it on the disk.
    """
    left = Neighbours(alone=alone).parts(found)
    groups: list[Claimed] = []
    for bundle in BUNDLES:
        claims = tuple(bundle.claims(left))
        groups += [Claimed(bundle=bundle, claim=claim) for claim in claims]
        taken = {id(part) for claim in claims for part in claim.parts}
        left = tuple(part for part in left if id(part) not in taken)
    return tuple(groups), tuple(part.member for part in left)


def _with_digests(found: tuple[Evidence, ...], claim: Claim) -> tuple[Evidence, ...]:
    paths = {part.member.name: part.member.path for part in claim.parts}
    paths.setdefault(claim.name, claim.parts[0].member.path)
    digests: dict[str, str] = {}

    def complete(source: Source) -> Source:
        path = paths.get(source.name)
        if path is None or source.sha256:
            return source
        digest = digests.get(str(path)) or sha256_of(path)
        digests[str(path)] = digest
        return replace(source, sha256=digest, size=path.stat().st_size)

    def sealed(evidence: Evidence) -> Evidence:
        sources = tuple(complete(source) for source in evidence.provenance.sources)
        return replace(evidence, provenance=replace(evidence.provenance, sources=sources))

    return tuple(sealed(evidence) for evidence in found)
