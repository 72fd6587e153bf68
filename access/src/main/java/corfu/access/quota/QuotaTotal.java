package corfu.access.quota;

import corfu.protocol.Identity;

/**
 * The resources that an identity uses at all servers together.
 *
 * @param identity the identity
 * @param appendsPerSecond the tokens issued in a second
 * @param bytesPerSecond the bytes appended and read in a second
 * @param streams the number of streams with stored entries; an estimate if there are many
 * @param storedBytes the size of the stored entries of these streams in bytes, each entry once for
 *     each of its streams
 * @param subscriptions the largest number of followed streams at one server
 * @param connections the largest number of connections to one server
 */
public record QuotaTotal(
    Identity identity,
    long appendsPerSecond,
    long bytesPerSecond,
    long streams,
    long storedBytes,
    long subscriptions,
    long connections) {}
