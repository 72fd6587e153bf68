package corfu.cli.shell;

import org.jspecify.annotations.Nullable;

/**
 * A typed value.
 *
 * @param text the typed text, without its quotes
 * @param value the meaning of the text: a string, a number, true, false, null, a list or a map
 */
record Value(String text, @Nullable Object value) {}
