package corfu.objects.rule;

import corfu.objects.type.Operation.Kind;

/**
 * One annotation's declaration about a method.
 *
 * @param kind the method's effect on the object
 * @param name the operation's name in the log; empty: its signature
 */
public record OperationDeclaration(Kind kind, String name) {}
