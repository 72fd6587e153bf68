/**
 * Where each address's record is, in few bytes: the page map of SLICE (SYSTOR 2013, section 4.2).
 * {@code PageMap} is what a log unit uses; beneath it {@code Window}s of addresses, of a {@code
 * CuckooTable} each. {@code Location} is what the map keeps, {@code PageMapComparison} what the
 * alternatives would cost. Nothing here knows of files, streams or messages.
 */
@NullMarked
package corfu.roles.logunit.pagemap;

import org.jspecify.annotations.NullMarked;
