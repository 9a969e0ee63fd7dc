"""All importers and table formats, in the order they are tried."""

from caveat._registry import Registry
from caveat.importers._base import Bundle, Importer, KnownTable, TableFormat
from caveat.importers.alpaca_eval import AlpacaEval
from caveat.importers.alpaca_tables import AlpacaLeaderboard, AlpacaOutputs
from caveat.importers.arena_tables import FastChatTable, KaggleArena
from caveat.importers.arrow_table import ArrowTable
from caveat.importers.braintrust import Braintrust, BraintrustAnswer
from caveat.importers.comparia_votes import CompariaVotes
from caveat.importers.csv_table import CsvTable
from caveat.importers.deepeval import DeepEval
from caveat.importers.every_eval_ever import EveryEvalEver
from caveat.importers.fastchat_battles import FastChatBattles
from caveat.importers.fastchat_log import FastChatLog
from caveat.importers.helm_runs import HelmRuns
from caveat.importers.hf_eval_results import HfEvalResults
from caveat.importers.hf_model_index import HfModelIndex
from caveat.importers.inspect_logs import InspectLogs
from caveat.importers.json_table import JsonArrayTable, JsonLinesTable
from caveat.importers.langfuse import Langfuse
from caveat.importers.leaderbot_counts import LeaderbotCounts
from caveat.importers.lighteval_details import LightevalDetails
from caveat.importers.lm_eval import LmEval
from caveat.importers.lmarena_votes import LMArenaVotes
from caveat.importers.medley_bench import MedleyBench
from caveat.importers.mmlu_pro_outputs import MmluProOutputs
from caveat.importers.mt_bench import MTBenchPair, MTBenchSingle
from caveat.importers.openai_evals import OpenAIEvals
from caveat.importers.parquet_table import ParquetTable
from caveat.importers.prism_conversations import PrismConversations
from caveat.importers.prism_survey import PrismSurvey
from caveat.importers.prism_utterances import PrismUtterances
from caveat.importers.promptfoo import Promptfoo
from caveat.importers.pydantic_evals import PydanticEvals
from caveat.importers.simple_evals import SimpleEvals

# Inspect first: it knows an archive by its names, where the others look into every member.
BUNDLES: Registry[Bundle] = Registry(
    "bundle",
    lambda b: b.name,
    (InspectLogs(), EveryEvalEver(), LmEval(), HelmRuns(), LightevalDetails(), Langfuse()),
)
IMPORTERS: Registry[Importer] = Registry(
    "importer",
    lambda i: i.name,
    (
        LeaderbotCounts(),
        FastChatLog(),
        MTBenchSingle(),
        MTBenchPair(),
        FastChatBattles(),
        MmluProOutputs(),
        MedleyBench(),
        Promptfoo(),
        OpenAIEvals(),
        SimpleEvals(),
        DeepEval(),
        PydanticEvals(),
        BraintrustAnswer(),
        HfEvalResults(),
        HfModelIndex(),
    ),
)
FORMATS: Registry[TableFormat] = Registry(
    "table format",
    lambda f: f.name,
    (ParquetTable(), ArrowTable(), JsonArrayTable(), JsonLinesTable(), CsvTable()),
)
TABLES: Registry[KnownTable] = Registry(
    "known table",
    lambda t: t.name,
    (
        CompariaVotes(),
        LMArenaVotes(),
        KaggleArena(),
        FastChatTable(),
        PrismUtterances(),
        PrismConversations(),
        PrismSurvey(),
        AlpacaEval(),
        AlpacaOutputs(),
        AlpacaLeaderboard(),
        Braintrust(),
    ),
)
