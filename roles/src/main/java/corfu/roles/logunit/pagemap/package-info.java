/**
 * The location of each address's record, in few bytes: the page map of SLICE (SYSTOR 2013, section
 * 4.2). A log unit uses {@code PageMap}, which has {@code Window}s of addresses, each with a {@code
 * CuckooTable}. The map's values are {@code Location}s. {@code PageMapComparison} measures the
 * costs of alternatives. This package does not depend on files, streams or messages.
 */
@NullMarked
package corfu.roles.logunit.pagemap;

import org.jspecify.annotations.NullMarked;
