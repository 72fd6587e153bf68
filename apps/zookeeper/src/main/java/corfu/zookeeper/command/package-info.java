/**
 * The commands of a namespace's state machine, and their encoding in the log. Every change of a
 * namespace is one of them: a client's request, the life of a session, the presence of a server.
 */
@NullMarked
package corfu.zookeeper.command;

import org.jspecify.annotations.NullMarked;
