/** A device in memory and a client, for tests of this module and of others. */
@NullMarked
package corfu.nbd.testing;

import org.jspecify.annotations.NullMarked;
