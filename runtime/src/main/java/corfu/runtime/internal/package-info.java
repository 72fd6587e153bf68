/** The client assembled from its parts: {@code LogClient} and {@code StreamClient}. */
@NullMarked
package corfu.runtime.internal;

import org.jspecify.annotations.NullMarked;
