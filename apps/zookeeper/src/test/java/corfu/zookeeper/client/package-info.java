/** Stock clients, unchanged, and clients that misbehave, against every subject. */
@NullMarked
package corfu.zookeeper.client;

import org.jspecify.annotations.NullMarked;
