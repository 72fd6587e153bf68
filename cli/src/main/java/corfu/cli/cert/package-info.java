/** {@code corfu cert}: a certificate authority in a directory, for clusters that have none. */
@NullMarked
package corfu.cli.cert;

import org.jspecify.annotations.NullMarked;
