/**
 * A server of the network block device protocol (NBD). It serves whatever {@code Exports} offers.
 */
@NullMarked
package corfu.nbd;

import org.jspecify.annotations.NullMarked;
