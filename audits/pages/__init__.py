"""Pages of the ground floor; `answers` is what every room's pages are built on."""
