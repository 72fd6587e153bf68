/**
 * The key-value store as a database of YCSB, the Yahoo! cloud serving benchmark. YCSB's stock
 * client loads it by name.
 *
 * <p>Enter at {@link corfu.ycsb.CorfuClient}. A record of YCSB is one value of the store ({@code
 * RecordFields}); all threads of a process share one client ({@code SharedStore}).
 */
@NullMarked
package corfu.ycsb;

import org.jspecify.annotations.NullMarked;
