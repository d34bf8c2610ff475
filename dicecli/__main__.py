"""`python -m dicecli`, and the `dicecli` command."""

import gc
import os
import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - it stays open to the end
    gc.set_threshold(50_000)  # a short command makes no garbage worth looking for, only modules
    try:
        from dicecli.ui.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
