/**
 * The shell for replicated objects: what a person types becomes calls of objects, and what comes of
 * them text. It neither reads nor prints by itself.
 *
 * <p>Enter at {@link Shell}. {@code LineParser} takes lines apart, {@code Kinds} knows which types
 * there are, {@code Methods} finds what to call.
 */
@NullMarked
package corfu.cli.shell;

import org.jspecify.annotations.NullMarked;
