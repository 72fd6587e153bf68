/** The states of byte arrays, and the entries that lead from one to the next. */
@NullMarked
package corfu.bytes.internal.state;

import org.jspecify.annotations.NullMarked;
