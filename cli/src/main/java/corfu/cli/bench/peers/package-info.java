/** {@code corfu bench}: comparisons with other systems, and the options that these have. */
@NullMarked
package corfu.cli.bench.peers;

import org.jspecify.annotations.NullMarked;
