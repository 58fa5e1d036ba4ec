"""Mistakes of users that mypy must reject: one in each line that names the code of an error."""

import anascore

KEY = "key.conllua"

anascore.score(KEY, KEY, mach="head")  # call-arg
anascore.score(KEY, KEY, match="hed")  # arg-type
anascore.score(KEY, KEY, format="uaa")  # arg-type
anascore.score(KEY, KEY, task="crac99")  # arg-type
anascore.score(KEY, KEY, singletons="no")  # arg-type
anascore.score(KEY, KEY, lea_importance=1.5)  # arg-type
anascore.score(KEY, KEY, layers=["bridges"])  # list-item
anascore.score(KEY, KEY, settings={"match": "head"})  # arg-type
anascore.score(KEY, KEY, words="aligned")  # arg-type
anascore.score(KEY, KEY, docs="sets")  # arg-type
anascore.score(KEY, KEY, window="1500")  # arg-type
anascore.score(KEY, KEY, across=True)  # arg-type
anascore.score(KEY, 5)  # arg-type
anascore.score(KEY)  # call-arg
anascore.score(KEY, KEY, "head")  # call-arg
anascore.score_clusters([[1]], [[1]], paired="bootstrap")  # call-arg
anascore.compare(KEY, [KEY], paired="bootstap")  # arg-type
anascore.compare(KEY, {5: KEY})  # dict-item
anascore.compare(KEY, [KEY], jobs="2")  # arg-type
anascore.compare(KEY, [KEY], also_keys=[KEY], combine_keys="bets")  # arg-type
anascore.compare(KEY, [KEY], also_keys=[KEY], key_weights="2,1")  # arg-type
anascore.suite(KEY, [KEY], paired=None)  # arg-type
anascore.suite(KEY, [KEY], variants=5)  # arg-type
anascore.suite(KEY, [KEY]).render("html")  # arg-type
anascore.explain(KEY, KEY, by="all")  # call-arg
anascore.find_errors(KEY, KEY, zeros="omit")  # call-overload
anascore.find_errors(KEY, KEY).render("html")  # arg-type
anascore.find_errors(KEY, KEY).render(example=3)  # call-arg
anascore.explain(KEY, KEY).render("csv", decimals="3")  # arg-type
anascore.show(KEY, KEY, document=5)  # arg-type
anascore.show(KEY, KEY, doc="d")  # call-arg
anascore.show()  # call-arg
anascore.report(KEY, [KEY])  # call-arg
anascore.convert(KEY, "out", to="uaa")  # arg-type
anascore.validate(5)  # arg-type
anascore.validate(KEY, format="uaa")  # arg-type
anascore.stats(KEY, words_column=3)  # call-arg
anascore.stats(KEY).render("html")  # arg-type
anascore.Statistics.from_json("{}")  # attr-defined
anascore.Settings(match="hed")  # arg-type
anascore.score(KEY, KEY).flat(percent="yes")  # arg-type
anascore.score({"a": 5}, KEY)  # dict-item
anascore.score({"a": None}, KEY)  # dict-item
anascore.score({5: [[(0, 1)]]}, KEY)  # dict-item
anascore.score(None, KEY)  # arg-type
anascore.score(KEY, 0.5)  # arg-type
anascore.compare({"a": [[(0, 1)]]}, 5)  # arg-type
anascore.compare({"a": [[(0, 1)]]}, None)  # arg-type
anascore.compare({"a": [[(0, 1)]]}, {"A": None})  # dict-item
anascore.compare({"a": [[(0, 1)]]}, {"A": 5})  # dict-item
anascore.find_errors({"a": [[(0, 1)]]}, None)  # call-overload
anascore.find_errors(5, KEY)  # call-overload
anascore.explain({"a": [[(0, 1)]]}, None)  # arg-type
anascore.agreement({"A": KEY, "B": None})  # dict-item
anascore.report({"a": None}, [KEY], "page.html")  # dict-item
anascore.stats(None)  # arg-type
anascore.write(5, "key.jsonl")  # arg-type
anascore.score_clusters(5, [[1]])  # arg-type
anascore.score_clusters([[1]], None)  # arg-type
anascore.Corpus.from_clusters({"a": 5})  # dict-item
anascore.Corpus.from_clusters([[(0, 1)]], words=5)  # arg-type
anascore.gold  # attr-defined
