/** One request to one server, and the exceptions that say whether to try it again. */
@NullMarked
package corfu.runtime.internal.rpc;

import org.jspecify.annotations.NullMarked;
