import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhook deliveries with the standard library of Java 17. As a program, it receives them on PORT. */
public final class VerifyWebhook {
    static final long TOLERANCE_SECONDS = 300;

    /**
     * @param rawBody the unparsed body
     * @param header the Service-Signature header, or null
     * @param secrets one or two signing secrets (whsec_…)
     */
    public static boolean isValid(byte[] rawBody, String header, List<String> secrets, long nowSeconds)
            throws GeneralSecurityException {
        List<String> timestamps = new ArrayList<>();
        List<byte[]> signatures = new ArrayList<>();
        for (String field : (header == null ? "" : header).split(",")) {
            String trimmed = field.strip();
            if (trimmed.startsWith("t=")) timestamps.add(trimmed.substring(2));
            if (trimmed.startsWith("v1=")) signatures.add(trimmed.substring(3).getBytes(StandardCharsets.UTF_8));
        }
        if (timestamps.size() != 1 || !timestamps.get(0).matches("[0-9]{1,11}")) return false;
        boolean matches = false;
        for (String secret : secrets) {
            if (!secret.startsWith("whsec_")) {
                throw new IllegalArgumentException("Use the signing secret as it is shown. It starts with whsec_.");
            }
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((timestamps.get(0) + ".").getBytes(StandardCharsets.UTF_8));
            byte[] expected = HexFormat.of().formatHex(mac.doFinal(rawBody)).getBytes(StandardCharsets.UTF_8);
            // Compares in constant time.
            for (byte[] signature : signatures) matches |= MessageDigest.isEqual(expected, signature);
        }
        return matches && Math.abs(nowSeconds - Long.parseLong(timestamps.get(0))) <= TOLERANCE_SECONDS;
    }

    public static void main(String[] arguments) throws IOException {
        List<String> secrets = List.of(System.getenv("WEBHOOK_SECRETS").trim().split("\\s+"));
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "4242"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> receive(exchange, secrets));
        server.start();
        System.out.println("Listening on http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private static void receive(HttpExchange exchange, List<String> secrets) throws IOException {
        byte[] rawBody = exchange.getRequestBody().readAllBytes();
        String header = exchange.getRequestHeaders().getFirst("Service-Signature");
        int status = 400;
        try {
            if (isValid(rawBody, header, secrets, Instant.now().getEpochSecond())) {
                // Parse the event and store it durably, deduplicated by its id. Process it after responding.
                System.out.println(new String(rawBody, StandardCharsets.UTF_8));
                status = 204;
            }
        } catch (GeneralSecurityException | RuntimeException error) {
            status = 500;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
