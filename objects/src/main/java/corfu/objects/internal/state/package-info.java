/**
 * The state of an object: changed by one thread, entry after entry, and read by many. {@code
 * PersistentState} keeps old versions at next to no cost, as long as {@code Pins} say that somebody
 * reads them; {@code PlainState} is a class that is changed in place.
 */
@NullMarked
package corfu.objects.internal.state;

import org.jspecify.annotations.NullMarked;
