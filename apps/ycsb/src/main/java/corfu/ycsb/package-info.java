/**
 * The store as a data base of YCSB, the Yahoo! cloud serving benchmark: what its stock client loads
 * by name.
 *
 * <p>Enter at {@link corfu.ycsb.CorfuClient}. A record of YCSB is one value of the store ({@code
 * Fields}); all threads of a process share one client of it ({@code SharedStore}).
 */
@NullMarked
package corfu.ycsb;

import org.jspecify.annotations.NullMarked;
