/**
 * The language of the shell for replicated objects. It turns lines into calls of objects, and
 * results into text. It neither reads input nor prints.
 *
 * <p>Enter at {@link Shell}. {@code LineParser} parses lines, {@code Kinds} knows the types of
 * objects, and {@code Methods} finds the method of a call.
 */
@NullMarked
package corfu.cli.shell;

import org.jspecify.annotations.NullMarked;
