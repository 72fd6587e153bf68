/**
 * The map from log addresses to servers, one for each epoch, and its JSON form. Enter at {@link
 * corfu.protocol.layout.Layout}.
 */
@NullMarked
package corfu.protocol.layout;

import org.jspecify.annotations.NullMarked;
