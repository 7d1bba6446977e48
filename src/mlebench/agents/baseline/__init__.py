"""An agent without a language model: looks at the files, trains a model, writes a submission.

It needs nothing but numpy, pandas, scikit-learn and pillow and imports nothing else of ours, so
that its folder can be copied into a sandbox and run there.
"""
