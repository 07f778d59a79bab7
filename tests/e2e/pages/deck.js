// Starts the deck as its author would, without regard to embeds.

/* global Reveal */
Reveal.initialize({ hash: true });
