/** One request to one server, the exceptions that tell whether to retry it, and the retries. */
@NullMarked
package corfu.runtime.internal.rpc;

import org.jspecify.annotations.NullMarked;
