package corfu.objects.record;

/**
 * Names a call of a client, so that who made it knows it again.
 *
 * @param client drawn at random by each client
 * @param number counted by the client
 */
public record CallId(long client, long number) {}
