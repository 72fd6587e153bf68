/**
 * The knowledge of sequencers and log units about streams (dissertation, chapter 4): their ends,
 * their entries' places, and the conditions of tokens. Pure values.
 */
@NullMarked
package corfu.protocol.stream;

import org.jspecify.annotations.NullMarked;
