/** Tokens of the sequencer, and the tail of the log. */
@NullMarked
package corfu.runtime.internal.token;

import org.jspecify.annotations.NullMarked;
