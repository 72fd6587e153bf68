/** {@code corfu token}: short-lived tokens for clients that speak HTTP. */
@NullMarked
package corfu.cli.token;

import org.jspecify.annotations.NullMarked;
