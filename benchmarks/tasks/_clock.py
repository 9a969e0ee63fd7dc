"""What every task prints."""

import json
import time


class Clock:
    """CPU seconds of this process: first the imports, then the work."""

    def __init__(self) -> None:
        self.startup = time.process_time()

    def done(self, check: object) -> None:
        """Print the one JSON line."""
        work = time.process_time() - self.startup
        print(json.dumps({"startup": self.startup, "work": work, "check": str(check)}))
