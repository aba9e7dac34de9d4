// Sizes and durations as users write and read them.
