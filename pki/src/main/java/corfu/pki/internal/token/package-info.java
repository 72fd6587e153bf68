/** The bytes of a token, and the keys that sign tokens. */
@NullMarked
package corfu.pki.internal.token;

import org.jspecify.annotations.NullMarked;
