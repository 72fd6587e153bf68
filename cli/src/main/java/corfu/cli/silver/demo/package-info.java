/** The demo of Silver: a tour on a cluster inside the process. */
@NullMarked
package corfu.cli.silver.demo;

import org.jspecify.annotations.NullMarked;
