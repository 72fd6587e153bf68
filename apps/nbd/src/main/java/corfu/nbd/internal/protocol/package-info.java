/** The messages of the NBD protocol and their bytes. All of it is stateless. */
@NullMarked
package corfu.nbd.internal.protocol;

import org.jspecify.annotations.NullMarked;
