/** The nodes in memory: each is played from its stream, now or up to a version. */
@NullMarked
package corfu.silver.internal.node;

import org.jspecify.annotations.NullMarked;
