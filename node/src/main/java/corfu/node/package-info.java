/** One process of a cluster, or a whole cluster inside one process. */
@NullMarked
package corfu.node;

import org.jspecify.annotations.NullMarked;
