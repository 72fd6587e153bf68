package corfu.cli.shell;

import org.jspecify.annotations.Nullable;

/**
 * A value as somebody typed it.
 *
 * @param text what was typed, without its quotes
 * @param value what it is taken for: a string, a number, true, false, null, a list or a map
 */
record Value(String text, @Nullable Object value) {}
