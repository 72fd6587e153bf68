/** Lets calls share round trips. */
@NullMarked
package corfu.runtime.internal.batch;

import org.jspecify.annotations.NullMarked;
