"""What letters and e-mails are written about: readers, subjects, and paragraphs in many variants."""

from dataclasses import dataclass
from itertools import accumulate

Sentences = tuple[tuple[str, ...], ...]
"""A paragraph: for each of its sentences the variants; an empty variant leaves the sentence out."""


@dataclass(frozen=True)
class Occasion:
    """What a letter is about, and to whom; `weight` says how often it comes. Only e-mails have subjects."""

    weight: int
    readers: str
    paragraphs: tuple[Sentences, ...]
    subjects: tuple[str, ...] = ()


LETTERS = (
    Occasion(10, "friend", (
        (
            (
                "Thank you for your kind letter.", "Thank you for your letter, which came this morning.", "Thank you for your long letter.",
                "Thank you so much for your lovely letter.", "Thank you for your letter of {date}.", "Thank you for your funny letter.",
            ),
            (
                "It made me smile at breakfast.", "I was so glad to hear your news.", "It was good to hear that you are all well.",
                "I have read it twice already.", "What a nice surprise it was!",
            ),
        ),
        (
            ("Everything is fine here in {city}.", "We are all well here.", "Life here is busy but good.", "There is some news from us, too."),
            ("{news}",), ("{weather}", ""),
        ),
        (("{write}", "{see_you}"), ("{greet}", "")),
    )),
    Occasion(12, "friend", (
        (
            (
                "Thank you very much for {gift}.", "Thank you so much for {gift}.", "Many thanks for {gift}.",
                "Thank you for {gift} that you sent me.", "Thank you for {gift}, which arrived on {weekday}.",
            ),
            ("What a lovely surprise!", "You always know what I like.", "It was so kind of you to think of me.", "I was delighted."),
            ("{gift_use}",),
        ),
        (("I hope that you are all well.", "How are you all?", "{weather}"), ("{news}", "")),
        (("{see_you}", "{thanks_again}"), ("{greet}", "")),
    )),
    Occasion(12, "friend", (
        (
            ("Thank you for your {present}.", "Thank you so much for your {present}.", "Thank you for your {present}, {which_came}."),
            ("{present_use}",),
            ("You are very kind.", "It was so kind of you to think of me.", "I was very pleased.", ""),
        ),
        (("We had a happy day here.", "We are all well.", "All is well with us."), ("{news}",)),
        (("{thanks_again}", "{see_you}"), ("{greet}", "")),
    )),
    Occasion(12, "relative", (
        (
            (
                "Thank you for your help {help} last week.", "Thank you for your help {help}.", "Thank you so much for your help {help}.",
                "Thank you for all your help {help} on {weekday}.", "Thank you for your kind help {help}.",
            ),
            ("Without you it would have taken me weeks.", "I could not have done it without you.", "You saved the day!", "I am very grateful."),
            ("{help_result}",),
        ),
        (
            ("As a small thank you, I would like to invite you to dinner.", "Please let me know when I can help you in return.",
             "I have baked a cake for you and will bring it on {weekday}.", "Next time it is my turn to help."),
            ("{greet}", "{thanks_again}", "{see_you}"),
        ),
    )),
    Occasion(8, "pal", (
        (
            ("Thank you for your invitation to the {event}.", "Thank you for your kind invitation to the {event}.",
             "Thank you so much for your invitation to the {event} on {weekday}."),
            ("I would love to come.", "We will be very happy to come.", "Of course I will be there!", "I am looking forward to it very much."),
            ("{event_wish}",),
        ),
        (
            ("Shall I bring something to eat?", "May I bring {friend} with me?", "Please let me know if I can help with anything.",
             "I will come by train and arrive in the afternoon.", "Is there anything that I can bring?"),
            ("See you soon!", "I can hardly wait.", "{greet}"),
        ),
    )),
    Occasion(6, "pal", (
        (
            ("Thank you for your invitation to the {event}.", "Thank you for your kind invitation to the {event}."),
            ("I am so sorry, but I cannot come.", "Sadly, I will not be able to come.", "I would love to come, but I cannot."),
            ("I have to work in {city} that week.", "{friend} is ill and needs me at home.", "We will be away on holiday then.",
             "I have an exam on the very same day."),
        ),
        (("I will be thinking of you all.", "I hope that you have a wonderful time."), ("{see_you}", "Please send me some photographs.")),
    )),
    Occasion(7, "friend", (
        (
            ("Thank you for your visit last weekend.", "Thank you for your visit.", "Thank you for coming to see us on {weekday}.",
             "Thank you for your visit last month."),
            ("It was lovely to see you again.", "We enjoyed every minute of it.", "We laughed so much!", "The house feels quiet without you."),
            ("The children still talk about your stories.", "{friend} asks every day when you are coming back.",
             "We have finished the last of your excellent jam.", "I found your green hat behind the sofa and will send it to you."),
        ),
        (("{weather}",), ("{news}", "")),
        (("Please come again soon.", "Our door is always open to you.", "Next time we will come to you."),),
    )),
    Occasion(7, "friend", (
        (
            ("Thank you for your kind hospitality.", "Thank you for your warm welcome last week.", "Thank you for having us to stay.",
             "Thank you for your wonderful dinner on {weekday}.", "Thank you for the lovely weekend at your house."),
            ("We felt at home at once.", "We had a wonderful time.", "It was good to talk with you for so long.", "The food was delicious."),
            ("I liked the walk by the river best of all.", "{friend} liked the soup best of all.", "Your garden is a little paradise.",
             "We still talk about your apple cake."),
        ),
        (("Our journey home was easy, and we were back before dark.", "We got home safely, tired but happy.",
          "The train was late, but we had plenty to read."),),
        (("Next time you must come and stay with us.", "{see_you}"), ("{greet}", "")),
    )),
    Occasion(5, "relative", (
        (
            ("Thank you for your good advice.", "Thank you for your advice about the new job.", "Thank you for your advice and your patience."),
            ("I thought about it for a whole week.", "I talked it over with {friend}.", "You were right, as always."),
            ("I have decided to take the job in {city}.", "I have decided to stay here and finish the course.",
             "In the end I told them the truth, and all is well now.", "I have started to save a little every month."),
        ),
        (("It is a weight off my mind.", "I feel much better now.", "I am happy with my choice."),
         ("I will tell you more when we meet.", "{see_you}", "{thanks_again}")),
    )),
    Occasion(6, "known", (
        (
            ("Thank you for your letter of {date}.", "Thank you for your order of {date}.", "Thank you for your generous donation.",
             "Thank you for your interest in our school.", "Thank you for your question about our opening hours."),
            ("We were very pleased to receive it.", "We are always glad to hear from you.", "It means a great deal to all of us."),
        ),
        (
            ("You will find all the details in the enclosed leaflet.", "I enclose our new programme for {month}.",
             "We are open every day from nine until five.", "You would be very welcome to visit us on any weekday."),
            ("Please let me know if I can be of any further help.", "If you have any questions, please call our office."),
        ),
    )),
    Occasion(8, "pal", (
        (
            ("How are you?", "It is a long time since I last wrote.", "I hope that you are well.", "At last I have time to write to you."),
            ("So much has happened here in {city}.", "There is a lot of news.", "Here is our latest news.", "I must tell you our news."),
        ),
        (("{news}",), ("{weather}",), ("Last {weekday} we went to {friend_place}.", "")),
        (("How is your work going?", "Is {other} still at the same school?", "Have you finished the new kitchen?", "What are your plans for the summer?"),
         ("{write}",)),
    )),
    Occasion(8, "pal", (
        (
            ("I would like to invite you to {party}.", "Would you like to come to {party}?", "You are warmly invited to {party}.",
             "We would be so happy if you came to {party}."),
            ("It will be on {weekday}, {date}, at {evening}.", "We will start at {evening} on {weekday}, {date}."),
            ("{party_bring}",),
        ),
        (
            ("You can stay the night in our spare room.", "The bus stops right outside our house.", "{friend} will be there too.",
             "We live at number {house}, just behind the station."),
            ("Please let me know if you can come.", "I hope so much that you can come!", "Tell me soon if you are free."),
        ),
    )),
    Occasion(7, "pal", (
        (("I am so sorry that {fault}.", "I must say sorry to you: {fault}.", "I am writing to say sorry, because {fault}."), ("{fault_reason}",),
         ("I feel bad about it.", "It was not kind of me.", "I should have been more careful.", "")),
        (("{fault_repair}",), ("I hope that you can forgive me.", "Please do not be angry with me.", "I hope that we are still friends.")),
    )),
    Occasion(6, "pal", (
        (("I have a small favour to ask.", "May I ask you for some help?", "I am writing to ask you a favour."),
         ("Could you {favour}?", "Would you be able to {favour}?", "Would you mind if I asked you to {favour}?"), ("{favour_detail}",)),
        (("Please say no if you are too busy.", "Of course I will gladly do the same for you.", "It would be a great help."),
         ("Many thanks in advance.", "{greet}", "Please let me know what you think.")),
    )),
    Occasion(7, "pal", (
        (("Congratulations on {success}!", "Many congratulations on {success}!", "I was so happy to hear about {success}.",
          "{friend} told me about {success}: congratulations!"), ("{success_praise}",),
         ("We are all very proud of you.", "What wonderful news!", "I told everyone at home at once.", "")),
        (("We must celebrate soon.", "I will bring a cake when we next meet.", "Tell me all about it when you have a minute."), ("{greet}", "")),
    )),
    Occasion(7, "friend", (
        (("We are having a wonderful holiday {trip}.", "Greetings from our holiday {trip}!", "We are spending two weeks {trip}."),
         ("{trip_sight}",), ("The sun shines every day.", "It rained on the first day, but now it is warm.", "The people here are very friendly.")),
        (("In the evening we eat {trip_food} and watch the sun go down.", "We eat {trip_food} every day and are never tired of it."),
         ("{friend} has already bought three hats.", "{friend} is sunburnt but very happy.", "I have taken a hundred photographs.", "")),
        (("We will be home on {weekday}.", "I wish you were here."), ("{see_you}", "")),
    )),
    Occasion(7, "formal", (
        (("On {date} I bought {product} in your shop.", "I am writing about {product} that I bought from you on {date}.",
          "I wish to complain about {product} that I ordered from you on {date}."), ("Unfortunately, {product_fault}.",)),
        (("I took good care of it and followed the instructions.", "I called your shop on {weekday}, but nobody could help me.",
          "I was very disappointed, as I have been your customer for many years."),
         ("Please send me a new one or return my money.", "I would like to have my money back.", "Please tell me how you will put this right.")),
        (("{reply_formal}",),),
    )),
    Occasion(6, "relative", (
        (("I was so sorry to hear about {illness}.", "{friend} told me about {illness}, and I am so sorry.", "We were all sad to hear about {illness}."),
         ("I hope that you are feeling better already.", "I hope that you are not in pain.", "We think of you every day."), ("{illness_rest}",)),
        (("Is there anything that I can do for you?", "I can do the shopping for you on {weekday}.", "I will come to see you at the weekend.",
          "I am sending you a good book to pass the time."), ("Get well soon!", "I wish you a quick recovery.", "Please get well soon.")),
    )),
    Occasion(5, "formal", (
        (("I am happy to recommend {friend} {third_surname} for the post of {job}.", "I am writing to recommend {friend} {third_surname} for the post of {job}."),
         ("We worked together for {years} years in {city}.", "{friend} worked in my team for {years} years.")),
        (("{friend} is careful, friendly and always on time.", "{friend} learns fast and never gives up.", "{friend} works hard and stays calm under pressure."),
         ("Customers and colleagues like {friend} very much.", "All of us were sad to see such a good colleague go.")),
        (("Please call me if you would like to know more.", "I would be glad to answer any questions."),),
    )),
    Occasion(6, "formal", (
        (("I saw your advertisement and would like to apply for the post of {job}.", "I am writing to apply for the post of {job}."),
         ("I have worked as {a_job} in {city} for {years} years.", "For the last {years} years I have done similar work in {city}.")),
        (("I am friendly, careful and used to early mornings.", "I enjoy working with people and learn quickly.", "I speak three languages and like to work in a team."),
         ("I could start on 1 {month}.", "I enclose my certificates.", "")),
        (("I would be glad to meet you and tell you more.", "I look forward to hearing from you.", "I hope to have the chance to meet you."),),
    )),
    Occasion(6, "formal", (
        (("I am planning a visit to {city} in {month}.", "My family and I would like to spend a week in {city} in {month}."),
         ("Could you please send me a list of hotels?", "Could you tell me if you still have a double room?", "Would you please send me a map and your price list?")),
        (("We will be {guests} people and would like a quiet room.", "We would like to stay for {guests} nights.", "We will arrive by train in the evening."),
         ("{reply_formal}",)),
    )),
    Occasion(6, "neighbours", (
        (("I would like to let you know that {notice}.", "This is to tell you that {notice}.", "Please note that {notice}."), ("{notice_why}",)),
        (("{notice_ask}",), ("Thank you for your help.", "Thank you for your patience.", "Many thanks to you all.",
                             "If you have any questions, please come to number {house}.")),
    )),
    Occasion(6, "relative", (
        (("Happy birthday!", "Many happy returns of the day!", "I wish you a very happy birthday."),
         ("I hope that you have a wonderful day with your family.", "I hope that all your wishes come true.", "May the coming year be full of joy.")),
        (("{news}", ""),),
        (("A small parcel is on its way to you.", "I hope that you like the little present.", "{friend} and I baked a cake for you."),
         ("Eat a large piece of cake for me!", "{see_you}", "{greet}")),
    )),
    Occasion(5, "known", (
        (("Please excuse {friend} from school on {weekday}.", "I am sorry that {friend} could not come to school on {weekday}.",
          "{friend} was not able to come to school on {weekday}."),
         ("{friend} had a high temperature and had to stay in bed.", "{friend} had a bad cold and a sore throat.", "We had to go to the doctor in {city}.")),
        (("Could you please tell us which pages to read at home?", "{friend} will do the homework at the weekend.", "We will make sure that nothing is missed."),
         ("Thank you for your understanding.", "Thank you for your help.")),
    )),
    Occasion(5, "pal", (
        (("I have big news: we are moving to {city}!", "We have decided to move to {city} in {month}.", "You may have heard that we are moving to {city}."),
         ("{friend} has found a good job there.", "We have found a small house with a garden.", "We will live quite close to the sea.")),
        (("I will miss our walks and our long talks.", "It is hard to leave such good friends.", "The boxes are packed, and the rooms look empty."),
         ("You must visit us as soon as we have a spare bed.", "I will send you our new address next week.", "Let us have one more dinner together before we go.")),
    )),
)  # fmt: skip
LETTER_WEIGHTS = tuple(accumulate(occasion.weight for occasion in LETTERS))

EMAILS = (
    Occasion(22, "team", (
        (
            ("Our next meeting will take place on {workday} at {clock} in {room}.", "We will meet on {workday} at {clock} in {room}.",
             "I would like to invite you to a meeting on {workday} at {clock} in {room}.", "Please join us for a meeting on {workday} at {clock} in {room}."),
            ("We will talk about {project}.", "The main topic is {project}.", "We need to make some decisions about {project}.", ""),
        ),
        (
            ("The agenda:\n{agenda}", "We will discuss the following points:\n{agenda}", "", "", "Please read the report before the meeting.",
             "The meeting will last about one hour.", "Please send me your topics by {day_before}."),
        ),
        (("Please let me know if you cannot come.", "Please tell me by {day_before} if you are not able to come.", "I look forward to seeing you all.",
          "{questions}"),),
    ), subjects=("Meeting on {workday}", "Meeting on {workday}", "Team meeting on {workday}", "Invitation: meeting on {workday}", "Our meeting on {workday}")),
    Occasion(8, "team", (
        (("The meeting on {workday} has been moved to {day_after}.", "We have to move our meeting from {workday} to {day_after}."),
         ("The time is still {clock}, and we will meet in {room}.", "We will now meet at {clock} in {room}.")),
        (("Several of us are travelling on {workday}.", "The room is not free on {workday}.", "The figures will not be ready before {day_after}."),
         ("I am sorry for the change.", "Thank you for your understanding.", "Please change your calendars.")),
    ), subjects=("Meeting moved to {day_after}", "New date for the meeting on {workday}", "Change: {workday} meeting now on {day_after}")),
    Occasion(8, "team", (
        (("This is a reminder that the deadline for {project} is {workday}.", "Please remember that {project} must be finished by {workday}.",
          "The deadline for {project} is {workday} at {clock}."),
         ("Please send me your part by {day_before}.", "I still need texts and pictures from some of you.", "We have come a long way, and only a few pages are missing.")),
        (("If you need more time, please tell me today.", "Please let me know if you need help.", "{questions}"),
         ("Thank you for your hard work.", "Many thanks to you all.", "")),
    ), subjects=("Deadline on {workday}", "Reminder: deadline for {project}", "Deadline for {project}")),
    Occasion(8, "customer", (
        (("Please find attached invoice number {number} for {amount}.", "Your invoice number {number} is attached to this message.",
          "Attached you will find invoice number {number} of {date}."), ("The total is {amount}.", "It covers your order of {goods}.")),
        (("Please pay within 14 days.", "Please pay the amount by the end of the month.", "The payment is due within 30 days."), ("{service}",)),
        (("Thank you for your business.", "Thank you for your order.", ""),),
    ), subjects=("Invoice {number}", "Your invoice number {number}", "Invoice number {number} attached")),
    Occasion(5, "customer", (
        (("Our records show that invoice number {number} for {amount} has not been paid.", "We have not yet received your payment of {amount} for invoice number {number}."),
         ("Perhaps it has slipped your mind.", "It was due on {date}.", "Maybe our letters have crossed.")),
        (("Please pay the amount within seven days.", "We kindly ask you to pay by {weekday}."),
         ("If you have already paid, please ignore this message.", "{service}")),
    ), subjects=("Reminder: invoice {number}", "Payment reminder for invoice {number}")),
    Occasion(8, "customer", (
        (("Thank you for your order of {goods}.", "We have received your order of {goods}.", "Thank you for shopping with us. Your order of {goods} has reached us safely."),
         ("Your order number is {number}.", "The order number is {number}.")),
        (("We will send it on {workday}.", "It will leave our warehouse on {workday}.", "It should be with you by {workday}."),
         ("You will get another message when it is on its way.", "The price is {amount}, and delivery is free.", "")),
        (("{service}",),),
    ), subjects=("Your order {number}", "Order {number}: thank you", "We have received your order {number}")),
    Occasion(7, "customer", (
        (("Good news: your parcel is on its way.", "Your parcel with {goods} has left our warehouse.", "Your parcel number {number} was sent today."),
         ("It will arrive on {weekday} between nine and noon.", "It will be delivered on {weekday}.", "You can expect it on {weekday}.")),
        (("If you are not at home, the driver will leave it with a neighbour.", "Please make sure that somebody is at home.", "If nobody is at home, you can collect it at the post office the next day."),
         ("{service}", "")),
    ), subjects=("Your parcel is on its way", "Your parcel arrives on {weekday}", "Parcel delivery on {weekday}")),
    Occasion(6, "firm", (
        (("I am still waiting for my parcel with {goods}.", "My parcel with {goods} has not arrived yet.", "I ordered {goods} from you on {date}, but the parcel has not come."),
         ("The order number is {number}.", "My order number is {number}.")),
        (("It should have been here on {weekday}.", "Your website says that it was delivered on {weekday}, but nobody here has seen it.", "I have asked all my neighbours, but nobody has it."),
         ("Could you please find out where it is?", "Please let me know when it will arrive.", "Please send me a new one or my money back.")),
    ), subjects=("Missing parcel", "Order {number} has not arrived", "Where is my parcel?")),
    Occasion(7, "colleague", (
        (("We will travel to {city} on {workday}.", "I have booked our trip to {city} on {workday}.", "Here is the plan for our trip to {city} on {workday}."),
         ("The train leaves at {time_early} and arrives at {time_noon}.", "Our flight leaves at {time_early}, so please be there in good time.", "The train leaves at {time_early} from platform {platform}.")),
        (("The hotel is close to the station, and breakfast is included.", "We will stay at a small hotel in the old town.", "The hotel is ten minutes on foot from the office."),
         ("Please bring your passport.", "Please take the signed papers with you.", "The tickets are attached.", "I will be back in the office on {day_after}.")),
        (("{questions}", "See you soon.", "Please call me if anything changes."),),
    ), subjects=("Trip to {city}", "Travel to {city} on {workday}", "Our trip to {city} on {workday}")),
    Occasion(7, "applicant", (
        (("Thank you for your application for the post of {job}.", "We have read your application for the post of {job} with great interest."),
         ("We would like to invite you to an interview on {workday} at {clock}.", "We would be glad to meet you on {workday} at {clock}.")),
        (("The interview will take place in {room} and last about one hour.", "Please come to the front desk and ask for me.", "You will meet two members of the team."),
         ("Please bring your certificates with you.", "Please let me know if the time suits you.", "Please confirm this date by {day_before}.")),
        (("We look forward to meeting you.", "I look forward to meeting you."),),
    ), subjects=("Interview on {workday}", "Invitation to an interview on {workday}", "Your interview for the post of {job}")),
    Occasion(6, "team", (
        (("A place is still free on {course} on {workday}.", "On {workday} we offer {course} for all members of staff.", "I am happy to tell you that {course} will start on {workday}."),
         ("It begins at {clock} in {room}.", "We will meet at {clock} in {room}.")),
        (("No experience is needed.", "The course is free, and there will be coffee and cake.", "Please bring a pen and paper."),
         ("Please sign up by {day_before}.", "Just reply to this message to sign up.", "If you would like to take part, please tell me by {day_before}.")),
    ), subjects=("Course on {workday}: still places free", "Sign up for {course}", "New: {course}")),
    Occasion(6, "team", (
        (("On {workday} {repair} will be repaired.", "The company will come to repair {repair} on {workday}.", "Please note that {repair} will be repaired on {workday}."),
         ("The work will begin at {time_early} and take about two hours.", "It should be finished by noon.", "The work may take the whole day.")),
        (("Some noise cannot be avoided.", "Please keep the hall clear on that day.", "Please do not use the main entrance in the morning."),
         ("I am sorry for the trouble.", "Thank you for your patience.", "Thank you for your understanding.")),
    ), subjects=("Repairs on {workday}", "Repair of {repair} on {workday}", "Repair work on {workday}")),
    Occasion(6, "firm", (
        (("Unfortunately, {repair_home} in our building is broken.", "I am writing because {repair_home} has not worked since {weekday}.", "There is a problem with {repair_home} in our flat."),
         ("We live at number {house}, on the second floor.", "It happened on {weekday} evening.", "I have already called twice.")),
        (("Could you please send somebody to repair it?", "Please let me know when somebody can come.", "Could someone come this week?"),
         ("I am at home every morning until eleven.", "Somebody is always at home after four o'clock.", "You can reach me by phone at any time.")),
    ), subjects=("Repair of {repair_home}", "Problem with {repair_home}", "Broken: {repair_home}")),
    Occasion(7, "mate", (
        (("Would you like to have lunch with me on {workday}?", "Are you free for lunch on {workday}?", "How about lunch on {workday}?"),
         ("We could try {place}.", "I thought of {place}.", "Let us go to {place}."), ("{place_why}", "")),
        (("Shall we meet at noon in front of the office?", "I could be there at half past twelve.", "Does one o'clock suit you?"),
         ("{friend} would like to come too.", "There is so much to talk about.", "This time it is my turn to pay.", "")),
        (("Let me know!", "Tell me if another day is better for you.", ""),),
    ), subjects=("Lunch on {workday}?", "Lunch on {workday}", "Lunch together on {workday}?")),
    Occasion(7, "colleague", (
        (("Thank you for sending me your draft of {project_paper}.", "I have read your draft of {project_paper} with great pleasure.", "Here are my comments on {project_paper}."),
         ("It is clear and well written.", "You have done a very good job.", "I like the structure and the pictures.")),
        (("I have only three small points:\n{remarks}", "The second part could be a little shorter.", "I would put the table at the end.", "Perhaps you could add one more example on page {page}."),),
        (("Let us talk about it on {workday}.", "Please send me the final text by {workday}.", "{questions}"),),
    ), subjects=("Feedback on {project_paper}", "Your draft of {project_paper}", "Comments on {project_paper}")),
    Occasion(6, "customer", (
        (("You have asked for a new password for {system}.", "We have received your request for a new password for {system}."),
         ("Please click on the link in this message and choose a new password.", "To choose a new password, please open the link below within {hours} hours."), ("{system_use}",)),
        (("The link is valid for {hours} hours.", "Never tell anyone your password.", "A good password has at least twelve characters."),
         ("If you did not ask for a new password, please ignore this message.", "If this was not you, you do not need to do anything.")),
    ), subjects=("Your new password", "Password reset", "Reset your password for {system}")),
    Occasion(6, "team", (
        (("I will be on holiday from {workday} until the end of the month.", "From {workday} on I will be out of the office for two weeks.", "I will be away from {workday} and back on {date}."),
         ("{friend} will look after my customers while I am away.", "{friend} will answer your questions during this time.", "In urgent cases please ask {friend}.")),
        (("All files for {project} are in the shared folder.", "I will finish {project} before I leave.", "Please send me anything urgent by {day_before}."),
         ("I wish you all a good time.", "Thank you for your support.", "")),
    ), subjects=("Holiday from {workday}", "Out of the office from {workday}")),
    Occasion(6, "team", (
        (("I am happy to tell you that {friend} will join our team on {workday}.", "On {workday} {friend} will start in our team.", "Please welcome {friend}, who will join us on {workday}."),
         ("{friend} worked in {city} for {years} years and knows our business well.", "{friend} comes to us from {city} and will work on {project}.")),
        (("We will have coffee and cake together at {clock} in {room}.", "Come and say hello at {clock} in {room}.", "Please help {friend} to find the way around."),
         ("I am sure that we will work together very well.", "I look forward to the new ideas.", "")),
    ), subjects=("{friend} joins our team", "Welcome to {friend}", "New colleague from {workday}")),
    Occasion(5, "team", (
        (("On {weekday}, {date}, we will celebrate our office party.", "You are warmly invited to our office party on {weekday}, {date}.", "The year is nearly over, and we would like to celebrate with you on {weekday}, {date}."),
         ("We will start at {evening} in the garden behind the office.", "The party begins at {evening} in the canteen.")),
        (("There will be food, drinks and music.", "Your families are welcome too.", "If you play an instrument, please bring it."),
         ("Please tell me by the end of the week if you are coming.", "Please tell me how many of you will come.", "We look forward to a happy evening with you.")),
    ), subjects=("Party on {weekday}", "Invitation to our party on {weekday}", "Our party on {date}")),
    Occasion(5, "firm", (
        (("I would like to book a double room from {day_early} to {day_late} {month}.", "Do you have a quiet room for two from {day_early} to {day_late} {month}?"),
         ("We would like to have breakfast as well.", "A room with a view of the garden would be lovely.", "We will arrive late in the evening.")),
        (("Please tell me the price for the whole stay.", "Could you please send me your prices?", "How much would that be?"), ("{reply_formal}",)),
    ), subjects=("Room in {month}", "Booking from {day_early} to {day_late} {month}", "Double room in {month}")),
    Occasion(5, "colleague", (
        (("Thank you for your help with {project}.", "Thank you for your good work on {project}.", "I would like to thank you for your work on {project}."),
         ("We finished on time, and the customer is delighted.", "Everything went well on {workday}.", "Without you we would have missed the deadline.")),
        (("I would like to invite you to lunch next week.", "The whole team is very grateful.", "I hope that we can work together again soon."), ("{thanks_again_office}", "")),
    ), subjects=("Thank you", "Thank you for your help with {project}", "Your work on {project}")),
)  # fmt: skip
EMAIL_WEIGHTS = tuple(accumulate(occasion.weight for occasion in EMAILS))
