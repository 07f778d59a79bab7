// Starts the deck, as its author would: with nothing said about embeds.

/* global Reveal */
Reveal.initialize({ hash: true });
