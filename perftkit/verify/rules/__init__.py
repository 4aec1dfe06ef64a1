"""The rules of chess as things that a generator gets wrong, one module a family.

`board` and `scene` say what stands where and how it came there; `extra`, `missing`, `castling`,
`en_passant` and `promotion` give the possible causes of each wrong move, `state` looks for a
position that the engine may have in mind instead, `numbers` reads counts, and `names` lists the
rules. `perftkit.verify.diagnose` weighs them.
"""
