/** The layout server: acceptor and learner of layouts, one consensus decision an epoch. */
@NullMarked
package corfu.roles.layout;

import org.jspecify.annotations.NullMarked;
