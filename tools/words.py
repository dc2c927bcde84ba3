"""Lists what the languages of the page lack: `python tools/words.py`, or with a code, such as `de`, as JSON to be filled in.

With `--stamp de` what is translated counts as up to date with its English source, as it is now.
"""

import argparse
import json

from specviz import words
from specviz.lessons import translations
from specviz.web_words import english_texts


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", nargs="?", help="print the missing texts of this language as JSON")
    parser.add_argument("--stamp", metavar="LANGUAGE", help="note the English sources as they are now")
    asked = parser.parse_args()
    if asked.stamp:
        translations.stamp(asked.stamp)
    elif asked.language:
        missing = english_texts() - words.table(asked.language).keys()
        print(json.dumps(dict.fromkeys(sorted(missing), ""), ensure_ascii=False, indent=2))
    else:
        for language in words.languages()[1:]:
            for sentence in (*translations.outdated(language), *translations.table_problems(language)):
                print(f"{language}: {sentence}")


if __name__ == "__main__":
    main()
