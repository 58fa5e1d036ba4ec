"""Small files of CoNLL-UA."""

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def lines(*identity: str, ids: tuple[str, ...] = ()) -> str:
    """Return a document with these entries in IDENTITY, at words 1, 2, 3 or other ids."""
    numbers = ids or tuple(str(number) for number in range(1, len(identity) + 1))
    rows = (
        "\t".join([number, f"w{number}", *"_" * 8, entry, *"_" * 4])
        for number, entry in zip(numbers, identity, strict=True)
    )
    return "# newdoc id = d\n" + "\n".join(rows) + "\n"
