/** Questions to log units about streams: their entries, their ends, their replicas. */
@NullMarked
package corfu.runtime.internal.stream;

import org.jspecify.annotations.NullMarked;
