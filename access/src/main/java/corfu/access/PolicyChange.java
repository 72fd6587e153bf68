package corfu.access;

import corfu.protocol.Identity;

/**
 * A command with its author, as it is in the log. The gate decides who may append to the policy's
 * stream; the author is for the audit log and for people.
 */
public record PolicyChange(Identity author, PolicyCommand command) {}
