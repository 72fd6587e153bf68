/** The client library: append, read, streams, reconfiguration and rebuild. */
@NullMarked
package corfu.runtime;

import org.jspecify.annotations.NullMarked;
