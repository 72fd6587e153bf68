/**
 * What sequencers and log units know of streams (dissertation, chapter 4): where they end, what
 * they hold where, and under which condition a token is wanted. Pure values.
 */
@NullMarked
package corfu.protocol.stream;

import org.jspecify.annotations.NullMarked;
