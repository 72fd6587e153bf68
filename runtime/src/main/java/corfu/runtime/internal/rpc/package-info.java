/** One request to one server, and the exceptions that tell whether to retry it. */
@NullMarked
package corfu.runtime.internal.rpc;

import org.jspecify.annotations.NullMarked;
