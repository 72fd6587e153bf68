/** TLS by certificates, with the JDK's engine, and by pre-shared keys, with Bouncy Castle's. */
@NullMarked
package corfu.nbd.internal.tls;

import org.jspecify.annotations.NullMarked;
