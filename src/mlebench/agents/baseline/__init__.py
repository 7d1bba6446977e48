"""An agent without a language model: it trains scikit-learn models and writes a submission.

It needs numpy, pandas, scikit-learn and pillow and imports nothing else of ours, so that its folder
can be copied into a sandbox and run there.
"""
