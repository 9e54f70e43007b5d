"""What tests share: real servers, real services, and a client that speaks as a sample person."""
