"""The contract between services: what travels, on which subjects, in which streams, and how it is handled.

`messages` are the shapes, `subjects` the names, `topology` the streams and consumers, `publish` the way out,
`consume` the way in. Nothing here knows what a message means.
"""
