/** The demo of virtual disks: a tour on a cluster inside the process. */
@NullMarked
package corfu.cli.disk.demo;

import org.jspecify.annotations.NullMarked;
